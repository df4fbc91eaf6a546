/**
 * Adds conveniences to the pages. Without the script, everything works with an additional link or key. The script adds
 * arrow keys in tables, `/` for the search, pages that update themselves, actions that continue, the reader's time
 * zone, and the focus on an error. It never uses a value as markup, except for pages of the console.
 */
export const script = /* js */ `
(() => {
  "use strict";
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) document.cookie = "ingather-zone=" + encodeURIComponent(zone) + ";path=/console;max-age=31536000;samesite=strict" + (location.protocol === "https:" ? ";secure" : "");
  // A page that was made for another zone is requested again: once, as the server may not know the browser's.
  const { zone: shown } = document.body.dataset;
  if (zone && shown && zone !== shown && sessionStorage.getItem("zone") !== zone) {
    sessionStorage.setItem("zone", zone);
    location.reload();
    return;
  }

  // On a phone the sections are one line.
  const section = document.querySelector(".top nav [aria-current]");
  if (section) section.scrollIntoView({ block: "nearest", inline: "center" });

  const problem = document.querySelector(".problem[role=alert]");
  if (problem) problem.focus();

  // An action on many records continues automatically; a moment is left to stop it.
  const goOn = document.querySelector("form[data-go-on]");
  if (goOn) setTimeout(() => goOn.submit(), 500);

  const isTyping = (element) => element.matches("input,textarea,select,[contenteditable]");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "/") {
      const search = document.querySelector("#search");
      if (search) { event.preventDefault(); search.focus(); search.select(); }
      return;
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [...document.querySelectorAll("table[data-rows] tbody td:first-child > a, .tasks li a")];
    if (links.length === 0) return;
    const at = links.findIndex((link) => link === document.activeElement || link.closest("tr,li").contains(document.activeElement));
    const inList = at >= 0 || document.activeElement === document.body || document.activeElement.matches("main,.scroll");
    if (!inList) return;
    const next = at < 0 ? 0 : at + (event.key === "ArrowDown" ? 1 : -1);
    if (links[next]) { event.preventDefault(); links[next].focus(); }
  });

  const isChanged = (control) => control.type !== "hidden" && (
    control.type === "checkbox" ? control.checked !== control.defaultChecked
    : control.options ? [...control.options].some((each) => each.defaultSelected && !each.selected)
    : control.value !== control.defaultValue);

  // A page that is live is read again; what has the focus, is open, or was typed, stays.
  const refresh = async () => {
    const live = document.querySelector("main[data-live]");
    if (!live) return;
    if (document.hidden || live.querySelector("details[open]") || [...live.querySelectorAll("input,select,textarea")].some(isChanged) || live.contains(document.activeElement) && isTyping(document.activeElement)) return void setTimeout(refresh, 1000);
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" }, credentials: "same-origin" });
      if (answer.ok && !answer.redirected) {
        const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
        const nameOf = (element) => element.getAttribute("href") || element.id;
        const focused = document.activeElement && nameOf(document.activeElement);
        if (next && next.innerHTML !== live.innerHTML) {
          live.replaceWith(next);
          if (focused) { const same = [...next.querySelectorAll("a,[id]")].find((each) => nameOf(each) === focused); if (same) same.focus({ preventScroll: true }); }
        }
      }
    } catch { /* The next try may reach it. */ }
    setTimeout(refresh, 1000);
  };
  setTimeout(refresh, 1000);
})();
`;
