/** The report as one page that loads nothing: styles and pictures are inline, and there is no script. */

import { chartKey } from '../chart-spelling.ts';
import { formatClock } from '../clock.ts';
import { type ExportSource, songArtist, songTitle } from '../export-source.ts';
import { escapeXml } from '../xml.ts';
import { formatFigure } from './figure.ts';
import { headlineOf } from './headline.ts';
import { ACCENT, INK } from './palette.ts';
import { drawPlots } from './plots.ts';
import { describeResult } from './sentences.ts';
import { plotToSvg } from './svg.ts';

/**
 * On a phone plots scroll, because their axis labels would be unreadable at the width of the screen. An outline keeps lines away from
 * labels. In dark mode, ink and accent are lighter than on paper.
 */
const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#17171c;--soft:#5d5d6b;--line:#e4e4ea;--card:#f7f7f9}
@media (prefers-color-scheme:dark){:root{--paper:#121217;--ink:#f0f0f4;--soft:#a9a9b8;--line:#2a2a34;--card:#1a1a21}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:820px;margin:0 auto;padding:28px 24px 48px}h1{font-size:26px;line-height:1.2;margin:0}h1,.by{text-align:left}h2{font-size:15px;margin:26px 0 2px}
.by{color:var(--soft);margin:2px 0 20px}.numbers{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:8px;margin:0 0 18px}
.numbers div{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:10px 12px}dt{color:var(--soft);font-size:12px}dd{margin:0;font-size:18px;font-weight:650}
dd small{display:block;font-size:11px;font-weight:400;color:var(--soft)}p.hint{color:var(--soft);font-size:12px;margin:0 0 6px}
.plot{overflow-x:auto}svg{width:100%;height:auto;display:block}svg text{font-family:system-ui,sans-serif;paint-order:stroke;stroke:var(--paper);stroke-width:3px}
@media screen and (max-width:640px){svg{min-width:900px}}
@media (prefers-color-scheme:dark){svg [fill="${INK}"]{fill:var(--soft)}svg [stroke="${INK}"]{stroke:var(--soft)}svg [stroke="${ACCENT}"]{stroke:#9d95ff}}
table{border-collapse:collapse;width:100%;font-size:13px;overflow-wrap:normal}
th,td{text-align:left;padding:5px 8px;border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:500}
footer{margin-top:32px;color:var(--soft);font-size:12px}@media print{main{max-width:none;padding:0}section{break-inside:avoid}}`;

export function writeReportHtml(source: ExportSource): string {
  const { document } = source;
  const title = songTitle(source);
  const artist = songArtist(source);
  const headline = headlineOf(document)
    .map(
      ({ label, value, note }) =>
        `<div><dt>${label}</dt><dd>${escapeXml(value)}${note === null ? '' : `<small>${escapeXml(note)}</small>`}</dd></div>`,
    )
    .join('');
  const plots = drawPlots(document, source.supplement?.visuals ?? null)
    .map(
      (plot) =>
        `<section><h2>${escapeXml(plot.title)}</h2><p class="hint">${escapeXml(plot.description)}</p><div class="plot" tabindex="0">${plotToSvg(plot)}</div></section>`,
    )
    .join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeXml(title)} · Earshot report</title><style>${STYLE}</style></head>
<body><main><h1 dir="auto">${escapeXml(title)}</h1><p class="by" dir="auto">${escapeXml(artist ?? '')}</p>
<dl class="numbers">${headline}</dl>
${describeResult(document)
  .map((sentence) => `<p>${escapeXml(sentence)}</p>`)
  .join('\n')}
${plots}${sectionTable(source)}
<footer>Earshot ${escapeXml(document.provenance.engine_version)}, ${escapeXml(document.provenance.analysed_at)}; decoded by ${escapeXml(document.provenance.decoder)}; file SHA-256 ${escapeXml(document.file.sha256)}</footer>
</main></body></html>
`;
}

function sectionTable({ document }: ExportSource): string {
  const sections = document.structure?.sections ?? [];
  if (sections.length === 0) return '';
  const rows = sections
    .map(
      (section) =>
        `<tr><td>${formatClock(section.start_seconds)}–${formatClock(section.end_seconds)}</td><td>${escapeXml(section.group)}</td><td>${section.label}</td><td>${section.bpm?.toFixed(1) ?? '–'}</td><td>${escapeXml(section.key === null ? '–' : chartKey(section.key))}</td><td>${section.loudness_lufs === null ? '–' : formatFigure(section.loudness_lufs, 1)}</td></tr>`,
    )
    .join('');
  return `<section><h2>Sections</h2><table><thead><tr><th>Time</th><th>Group</th><th>Label</th><th>BPM</th><th>Key</th><th>LUFS</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}
