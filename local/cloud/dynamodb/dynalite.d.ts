declare module "dynalite";
