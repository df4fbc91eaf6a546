/**
 * The style of all pages: one text size, one accent colour, a grid of 8 pixels, and light or dark colours by the
 * system's setting.
 */
export const style = /* css */ `
:root{color-scheme:light dark;--page:#fff;--soft:#f4f5f7;--line:#d4d8de;--text:#1c2126;--quiet:#59626d;--accent:#0b5aa8;--on-accent:#fff;--good:#17692f;--busy:#0b5aa8;--warning:#8a5300;--bad:#b3221b;--mark:#fff3c4}
@media (prefers-color-scheme:dark){:root{--page:#15181c;--soft:#1f242a;--line:#3a424c;--text:#e4e7eb;--quiet:#a2acb8;--accent:#7ab8f5;--on-accent:#0c1a28;--good:#74cf8c;--busy:#7ab8f5;--warning:#f0b35a;--bad:#ff9089;--mark:#4a3d10}}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums;scroll-padding-top:64px;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);min-width:320px}
a{color:var(--accent);text-underline-offset:2px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:2px}
h1,h2,h3{line-height:1.25;margin:32px 0 8px;font-size:1rem}
h1{font-size:1.5rem;margin-top:0;overflow-wrap:anywhere}h2{font-size:1.125rem}
p,ul,ol,dl,pre,table,form,figure{margin:0 0 16px}
p,li{max-width:75ch}
ul,ol{padding-left:24px}
code,pre,.marc,kbd{font-family:ui-monospace,"Cascadia Mono","Segoe UI Mono",Menlo,Consolas,monospace;font-size:.9375rem}
pre{background:var(--soft);padding:8px 16px;overflow:auto;border-radius:4px}
.hidden,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{position:fixed;top:8px;left:8px;z-index:2;background:var(--page);padding:8px 16px}
.top{border-bottom:1px solid var(--line);background:var(--soft)}
.top>div,main,.foot{max-width:1440px;margin:0 auto;padding:0 24px}
.top>div{display:flex;flex-wrap:wrap;align-items:center;gap:0 24px}
.brand{font-weight:700;color:var(--text);text-decoration:none;padding:12px 0}
.top nav{flex:1 1 auto}
.top nav ul{display:flex;flex-wrap:wrap;gap:0 4px;list-style:none;margin:0;padding:0}
.top nav a{display:block;padding:12px 8px;color:var(--text);text-decoration:none;border-bottom:3px solid transparent}
.top nav a:hover{border-color:var(--line)}
.top nav a[aria-current]{border-color:var(--accent);font-weight:600}
.top form{margin:8px 0}
.search input{width:336px;max-width:100%}
.me{position:relative}
.me summary{cursor:pointer;padding:12px 0}
.me>div{position:absolute;right:0;z-index:1;background:var(--page);border:1px solid var(--line);border-radius:4px;padding:16px;min-width:208px}
main{padding-top:24px;padding-bottom:64px}
.foot{color:var(--quiet);padding-bottom:32px}
.heading{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:8px 24px;margin-bottom:16px}
.heading h1{margin:0}
.quiet,.hint{color:var(--quiet)}
.number{text-align:right;white-space:nowrap}
time{white-space:nowrap}
.scroll{overflow-x:auto;margin-bottom:8px}
table{border-collapse:collapse;width:100%;margin:0}
th,td{text-align:left;vertical-align:top;padding:8px 16px 8px 0;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-right:0}
th.number,td.number{text-align:right}
th{font-weight:600;color:var(--quiet);white-space:nowrap}
tbody tr:hover,tbody tr:focus-within{background:var(--soft)}
.state{display:inline-flex;align-items:center;gap:6px;white-space:nowrap;font-weight:600}
.state::before{content:"";width:10px;height:10px;border-radius:50%;background:currentColor;flex:none}
.state.good,.good{color:var(--good)}.state.busy,.busy{color:var(--busy)}.state.warning,.warning{color:var(--warning)}.state.bad,.bad{color:var(--bad)}.state.quiet{color:var(--quiet)}
.state.warning::before{border-radius:2px}.state.bad::before{border-radius:0;transform:rotate(45deg)}
.pages,.filter,.actions{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin:8px 0 16px}
button,input,select,textarea,summary.main,.button{font:inherit;color:inherit}
button,.button,details.action>summary{display:inline-block;cursor:pointer;background:var(--page);color:var(--accent);border:1px solid var(--accent);border-radius:4px;padding:7px 16px;text-decoration:none}
button:hover,.button:hover,details.action>summary:hover{text-decoration:underline}
button.main,.button.main,details.action>summary.main{background:var(--accent);color:var(--on-accent);font-weight:600}
input,select,textarea{background:var(--page);border:1px solid var(--quiet);border-radius:4px;padding:7px 8px;max-width:100%}
input[type=checkbox],input[type=radio]{width:20px;height:20px;accent-color:var(--accent);vertical-align:-4px}
textarea{width:100%;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9375rem}
form.action,details.action{display:inline-block;margin:0}
details.action>summary{list-style:none}details.action>summary::-webkit-details-marker{display:none}
details.action[open]{display:block;border-left:4px solid var(--accent);padding:8px 0 8px 16px;flex-basis:100%}
details.action form{margin:16px 0 0}
.fields{max-width:640px}
.field{margin-bottom:16px}
.field label:not(.check){display:block;font-weight:600}
.field .hint,.field .error{display:block}
.field input:not([type=checkbox],[type=radio]),.field select{width:100%}
fieldset{border:0;padding:0;margin:0 0 16px}fieldset .check{display:block;padding:4px 0}
.calendar{max-width:800px;table-layout:fixed}.calendar td{padding:4px 8px 4px 0;height:56px}.calendar a{display:block;position:relative}
.field.wrong{border-left:4px solid var(--bad);padding-left:12px}
.error{color:var(--bad);font-weight:600}
.problem{border:3px solid var(--bad);border-radius:4px;padding:16px 16px 0;margin-bottom:24px;max-width:75ch}
.problem h2{margin-top:0}
.problem a{color:var(--bad);font-weight:600}
.notice{border:1px solid var(--good);border-left-width:8px;border-radius:4px;padding:8px 16px;margin-bottom:24px;display:flex;flex-wrap:wrap;gap:8px 24px;align-items:center}
.notice p,.notice form{margin:0}
.empty{color:var(--quiet);padding:24px 0}
.tasks{list-style:none;padding:0;margin:0 0 24px;border-top:1px solid var(--line)}
.tasks li{display:flex;gap:8px 24px;justify-content:space-between;align-items:baseline;padding:12px 0;border-bottom:1px solid var(--line);max-width:none}
.tasks li>*{min-width:0;overflow-wrap:anywhere}.tasks li>a,.tasks li>form{flex:none}
.filter label,.filter input{min-width:0;max-width:100%}.filter input[type=search]{width:320px}
.figures{display:flex;flex-wrap:wrap;gap:8px 32px;list-style:none;padding:0}
.figures b{font-size:1.25rem}
.pairs{display:grid;grid-template-columns:minmax(112px,max-content) 1fr;gap:4px 24px}
.pairs dt{color:var(--quiet);overflow-wrap:anywhere}.pairs dd{margin:0;overflow-wrap:anywhere}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,560px),1fr));gap:0 32px}
article,.beside{overflow-wrap:anywhere}.beside{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 32px}.beside h3{margin-top:8px}
blockquote{margin:0 0 16px;padding:8px 16px;border-left:4px solid var(--line);max-width:75ch;overflow-wrap:anywhere}blockquote p{margin:0 0 8px}
.marc{width:100%}
.marc td{padding:2px 16px 2px 0;border:0;white-space:pre-wrap;overflow-wrap:anywhere}
.marc tr.finding td{background:var(--mark)}
.marc td:first-child,.marc td:nth-child(2){white-space:pre;color:var(--quiet)}
.marc b{color:var(--accent);font-weight:600}
@media (max-width:640px){.marc,.marc tbody{display:block}.marc tr{display:grid;grid-template-columns:40px 32px 1fr}.marc td:nth-child(4){grid-column:3}}
ins{background:color-mix(in srgb,var(--good) 18%,transparent);text-decoration:none}del{background:color-mix(in srgb,var(--bad) 18%,transparent)}
.chart{display:block;max-width:100%;height:auto;fill:var(--accent);color:var(--quiet)}
.chart text{fill:var(--quiet);font-size:12px}.chart .grid{stroke:var(--line)}.chart .band{opacity:.2}.chart .line{fill:none;stroke:var(--accent);stroke-width:2}
td .chart{height:24px;width:auto;max-width:none}
progress{width:240px;max-width:100%;accent-color:var(--accent)}
.card{max-width:480px;margin:64px auto;padding:0 24px}
@media (max-width:1480px){.top nav{order:3;flex-basis:100%}.top .search{margin-left:auto}}
@media (max-width:640px){.beside{grid-template-columns:minmax(0,1fr)}.top>div,main,.foot{padding-left:16px;padding-right:16px}.top nav{order:3;flex-basis:100%;overflow-x:auto}.top nav ul{flex-wrap:nowrap}.top nav a{padding:8px}.top .search{flex:1 1 100%;order:2;margin-left:0}.search input{width:100%}.me{margin-left:auto}.tasks li{flex-wrap:wrap}table[data-rows] td:first-child{min-width:176px}.pairs{grid-template-columns:1fr;gap:0}.pairs dd{margin-bottom:8px}}
@media (min-width:1920px){.top>div,main,.foot{max-width:1760px}}
@media print{.top,.foot,.filter,.actions,.pages{display:none}}
`;
