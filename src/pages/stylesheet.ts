import { createHash } from 'node:crypto';

/** Uses the state colours of the dashboards, with dark text in both themes for contrast. */
const css = `
:root {
  color-scheme: light dark;
  --back: #f6f7f9; --card: #fff; --text: #1c2024; --quiet: #59616b; --line: #dcdfe4; --track: #e4e7eb; --link: #0b5cad;
  --critical: #d55e00; --warning: #e69f00; --badge-warning: #ffb733; --ok: #56b4e9; --on-state: #1c1300;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --card: #1d2126; --text: #e6e8eb; --quiet: #a3abb5; --line: #353b43; --track: #343a42; --link: #7db8f5;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
header, main, footer { max-width: 82rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1.25rem; padding-block: .75rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
nav a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
main:focus { outline: none; }
footer { padding-block: 1.5rem 2rem; color: var(--quiet); font-size: .87em; }
a { color: var(--link); text-underline-offset: .15em; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--card); }
.skip:focus { left: .5rem; top: .5rem; z-index: 1; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
h1 { margin: .5rem 0 .6rem; font-size: 1.6rem; line-height: 1.2; letter-spacing: -.01em; overflow-wrap: anywhere; }
h1 .badge { margin-left: .3rem; font-size: .9rem; letter-spacing: 0; vertical-align: .2em; }
h2 { margin: 0; font-size: 1.1rem; }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; overflow-wrap: anywhere; }
.quiet, .detail, .age { color: var(--quiet); }
.detail, .problems { display: block; font-size: .87em; }
.problems { padding: 0; list-style: none; }
.problems li + li { margin-top: .2rem; }
.detail, .problems { overflow-wrap: anywhere; font-weight: 400; }
.problems { margin: .15rem 0 0; }
.counts { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.badge { display: inline-block; padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .87em; white-space: nowrap; }
.badge.critical { border-color: var(--critical); background: var(--critical); color: var(--on-state); font-weight: 600; }
.badge.warning, .badge.failing { border-color: var(--badge-warning); background: var(--badge-warning); color: var(--on-state); font-weight: 600; }
.level { font-variant-numeric: tabular-nums; }
.level.critical, .level.warning { font-weight: 600; text-decoration: underline 3px var(--warning); text-underline-offset: .2em; text-decoration-skip-ink: none; }
.level.critical { text-decoration-color: var(--critical); }
form { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: 0 0 1rem; }
input, button { max-width: 100%; padding: .35rem .6rem; border: 1px solid var(--quiet); border-radius: .35rem; background: var(--card); color: inherit; font: inherit; }
button { cursor: pointer; }
.card, .accounts { margin: 0 0 1rem; padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); }
.accounts { padding-block: .3rem; }
.card > .head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .1rem 1rem; margin-bottom: .5rem; }
.age { font-size: .87em; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .45rem .9rem .45rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { border-top: 0; color: var(--quiet); font-size: .87em; }
tbody th { overflow-wrap: anywhere; }
td.number + td:not(.number), th.number + th:not(.number) { padding-left: .9rem; }
.accounts tbody th { font-weight: 600; }
.accounts .detail { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
td { font-variant-numeric: tabular-nums; }
th.number, td.number { text-align: right; }
th:last-child, td:last-child { padding-right: 0; }
.bar { display: block; width: 100%; min-width: 5rem; height: .4rem; margin: .2rem 0; border-radius: .2rem; }
.bar .track { fill: var(--track); }
.bar .fill { fill: var(--ok); }
.bar.warning .fill { fill: var(--warning); }
.bar.critical .fill { fill: var(--critical); }
.chart { display: block; width: 8rem; height: 2rem; }
.chart path { fill: var(--ok); }
.chart line { stroke: var(--line); }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.6rem, 1fr)); gap: .75rem; margin: 0 0 1rem; }
.tile { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); }
.tile.warning { border-color: var(--warning); box-shadow: inset 0 3px var(--warning); }
.tile.critical { border-color: var(--critical); box-shadow: inset 0 3px var(--critical); }
.tile dt { color: var(--quiet); font-size: .87em; }
.tile dd { margin: .1rem 0 0; overflow-wrap: anywhere; }
.tile .figure .detail { font-size: .87rem; }
.tile .figure { font-size: 1.2rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.tile .figure .quiet { font-size: 1rem; font-weight: 400; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 0 1rem; align-items: start; }
.list { margin: .3rem 0 0; padding: 0; list-style: none; }
.list li { margin: .35rem 0; overflow-wrap: anywhere; }
.collector { padding: .7rem 0; border-top: 1px solid var(--line); }
.collector .head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .8rem; }
.collector p { margin: .25rem 0; }
.collector table { margin-top: .4rem; font-size: .93em; }
.advice { display: block; font-weight: 600; }
code, q { overflow-wrap: anywhere; }
code { font-size: .93em; }
pre { margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.paging { justify-content: center; }
@media (min-width: 52.01rem), print {
  .accounts table { table-layout: fixed; }
  .accounts th:nth-child(1) { width: 13%; }
  .accounts th:nth-child(2) { width: 20%; }
  .accounts th:nth-child(3) { width: 16.5%; }
  .accounts th:nth-child(4) { width: 8.5%; }
  .accounts th:nth-child(5) { width: 10.5%; }
  .accounts th:nth-child(6) { width: 14.5%; }
  .accounts th:nth-child(7) { width: 9%; }
  .accounts th:nth-child(8) { width: 8%; }
  .accounts .bar { min-width: 0; }
}
@media screen and (max-width: 52rem) {
  header, main, footer { padding-inline: .8rem; }
  .accounts { padding: 0; border: 0; background: none; }
  .accounts tbody tr { margin-bottom: .7rem; padding: .7rem .8rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card); }
  table, tbody { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: block; padding: .5rem 0; border-top: 1px solid var(--line); }
  .accounts tr { border-top: 0; }
  th, td, th.number, td.number { display: block; min-width: 0; padding: .12rem 0; border-top: 0; text-align: left; }
  td, td.number, .accounts td { display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); column-gap: .6rem; min-width: 0; padding-left: 0; }
  td.number + td:not(.number) { padding-left: 0; }
  td > * { grid-column: 2; justify-self: start; min-width: 0; max-width: 100%; }
  td > .bar { justify-self: stretch; }
  td > .problems { grid-column: 1 / -1; }
  td::before { content: attr(data-title); grid-column: 1; grid-row: 1 / span 4; color: var(--quiet); font-size: .87em; }
  td:empty { display: none; }
  tbody th { font-weight: 600; }
  .tiles { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .5rem; }
  .card { padding: .8rem; }
  .bar { max-width: 14rem; }
}
@media print {
  :root { --back: #fff; --card: #fff; --text: #000; --quiet: #444; --line: #999; }
  body { font-size: 10pt; }
  nav, form, .skip, .toggle, header { display: none; }
  .card, .accounts, .tile { break-inside: avoid-page; border-color: #999; }
  .badge, .bar, .chart { print-color-adjust: exact; }
  .badge { white-space: normal; }
  .chart { width: 5rem; }
  th, td { padding-right: .5rem; }
  td, thead th { overflow-wrap: break-word; }
  td.number + td:not(.number), th.number + th:not(.number) { padding-left: .3rem; }
  .accounts { padding-inline: 0; border: 0; }
  .accounts table { font-size: 8.5pt; }
  .accounts .quiet { font-size: .87em; }
  .accounts th:nth-child(2) { width: 19%; }
  .accounts th:nth-child(3) { width: 14%; }
  .accounts th:nth-child(4) { width: 10.5%; }
  .accounts th:nth-child(6) { width: 13%; }
  .accounts th:nth-child(7) { width: 10.5%; }
  .accounts th:nth-child(8) { width: 9.5%; }
  a { color: inherit; text-decoration: none; }
}
`;

const text = css.trim().concat('\n');

/** The style of all pages. Its path contains a hash of the content, so that browsers can cache the style without a time limit. */
export const stylesheet = {
  text,
  path: `/style/${createHash('sha256').update(text).digest('hex').slice(0, 12)}.css`,
} as const;
