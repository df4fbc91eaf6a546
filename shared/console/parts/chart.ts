import { scaleBand, scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { html } from "hono/html";
import type { Html } from "../page.ts";

interface Bar {
  label: string;
  value: number;
}

/**
 * Renders bars of equal width, such as the number of delivered records per day. `summary` describes the chart for
 * readers who cannot see it.
 */
export function barChart(
  bars: readonly Bar[],
  { summary, height = 48 }: { summary: string; height?: number },
): Html {
  const width = Math.max(160, bars.length * 16);
  const x = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([0, width])
    .paddingInner(0.25);
  const y = scaleLinear()
    .domain([0, Math.max(1, ...bars.map(({ value }) => value))])
    .range([0, height - 1]);
  return html`<svg class="chart bars" role="img" aria-label="${summary}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${bars.map(
    ({ label, value }, index) => {
      // A day without any records still gets a mark.
      const tall = Math.max(1, y(value));
      return html`<rect x="${round(x(index) ?? 0)}" y="${round(height - tall)}" width="${round(x.bandwidth())}" height="${round(tall)}"><title>${label}: ${value}</title></rect>`;
    },
  )}</svg>`;
}

/** Renders bars of the size of a word, for a cell of a table, as a single path. */
export function sparkBars(values: readonly number[], { summary }: { summary: string }): Html {
  const [width, height] = [values.length * 8, 24];
  const y = scaleLinear()
    .domain([0, Math.max(1, ...values)])
    .range([0, height - 1]);
  const bars = values.map((value, index) => {
    const tall = Math.max(1, Math.round(y(value)));
    return `M${index * 8} ${height - tall}h6v${tall}h-6z`;
  });
  return html`<svg class="chart" role="img" aria-label="${summary}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><path d="${bars.join("")}"></path></svg>`;
}

interface Point {
  label: string;
  value: number;
  /** The interval that contains the value. */
  low?: number;
  high?: number;
}

/**
 * Renders a line, with the interval of each value as a band. The values are from 0 to 1, such as the share of links
 * that are alive.
 */
export function shareChart(
  points: readonly Point[],
  { summary, width = 640, height = 160 }: { summary: string; width?: number; height?: number },
): Html {
  const lows = points.map(({ value, low = value }) => low);
  const floor = Math.max(0, Math.floor((Math.min(1, ...lows) - 0.02) * 20) / 20);
  const x = scaleLinear()
    .domain([0, Math.max(1, points.length - 1)])
    .range([40, width - 8]);
  const y = scaleLinear()
    .domain([floor, 1])
    .range([height - 16, 8]);
  const band = area<Point>(
    (_, index) => x(index),
    ({ value, low = value }) => y(low),
    ({ value, high = value }) => y(high),
  );
  const curve = line<Point>(
    (_, index) => x(index),
    ({ value }) => y(value),
  );
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return html`<svg class="chart share" role="img" aria-label="${summary}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
${y.ticks(4).map((tick) => html`<line class="grid" x1="40" x2="${width - 8}" y1="${round(y(tick))}" y2="${round(y(tick))}"></line><text x="36" y="${round(y(tick) + 4)}" text-anchor="end">${percent(tick)}</text>`)}
<path class="band" d="${band(points as Point[]) ?? ""}"></path><path class="line" d="${curve(points as Point[]) ?? ""}"></path>
${points.map(({ label, value }, index) => html`<circle cx="${round(x(index))}" cy="${round(y(value))}" r="3"><title>${label}: ${(value * 100).toFixed(1)} %</title></circle>`)}
</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/**
 * Renders shares from 0 to 1 as a line of the size of a word, for a cell of a table. Readers who cannot see it get its
 * title and description.
 * @param of.id unique in the page
 */
export function sparkLine(
  shares: readonly number[],
  { id, title, description }: { id: string; title: string; description: string },
): Html {
  const [width, height] = [160, 24];
  const x = scaleLinear()
    .domain([0, Math.max(1, shares.length - 1)])
    .range([2, width - 2]);
  const y = scaleLinear().range([height - 2, 2]);
  const curve = line<number>(
    (_, index) => round(x(index)),
    (share) => round(y(share)),
  );
  // A line of a single point has no length.
  const path = curve(shares.length === 1 ? [...shares, ...shares] : [...shares]) ?? "";
  return html`<svg class="chart" role="img" aria-labelledby="${id}-title ${id}-description" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title id="${id}-title">${title}</title><desc id="${id}-description">${description}</desc><path class="line" d="${path}"></path></svg>`;
}
