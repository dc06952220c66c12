import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Series, trendOf } from './trend.ts';

const WIDTH = 1_200;
const PANEL = { width: WIDTH / 2, height: 220, left: 60, top: 40, right: 20, bottom: 30 };

/** Every series in a panel of its own, from zero, in SVG. */
export function plot(series: Series[], title: string): string {
  const height = 50 + Math.ceil(series.length / 2) * PANEL.height;
  const panels = series.map((one, index) => {
    const [x, y] = [(index % 2) * PANEL.width, 50 + Math.floor(index / 2) * PANEL.height];
    return `<g transform="translate(${x} ${y})">${panel(one)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    `<text x="20" y="32" font-size="18">${title}</text>`,
    ...panels,
    '</svg>',
  ].join('\n');
}

function panel(series: Series): string {
  const { name, unit, points } = series;
  const { left, top } = PANEL;
  const [width, height] = [PANEL.width - left - PANEL.right, PANEL.height - top - PANEL.bottom];
  const last = points.at(-1)?.[0] || 1;
  const highest = Math.max(...points.map(([, value]) => value)) * 1.1 || 1;
  const line = points.map(([time, value]) => {
    const [x, y] = [left + (time / last) * width, top + height - (value / highest) * height];
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const { usual, growth, flat } = trendOf(series);
  const change = `${growth < 0 ? '−' : '+'}${Math.abs(growth).toFixed(1)}`;
  const heading = [name, unit && `in ${unit}`].filter(Boolean).join(' ');
  return [
    `<text x="${left}" y="${top - 12}">${heading}: usually ${usual.toFixed(1)}, ${change} over the run: ${flat ? 'flat' : 'grows'}</text>`,
    `<path d="M${left} ${top}v${height}h${width}" fill="none" stroke="#999"/>`,
    `<text x="${left - 6}" y="${top + 10}" text-anchor="end">${highest.toFixed(highest < 10 ? 1 : 0)}</text>`,
    `<text x="${left - 6}" y="${top + height}" text-anchor="end">0</text>`,
    `<text x="${left + width}" y="${top + height + 18}" text-anchor="end">${(last / 60).toFixed(0)} min</text>`,
    `<polyline points="${line.join(' ')}" fill="none" stroke="${flat ? '#0a7' : '#c22'}" stroke-width="1.5"/>`,
  ].join('');
}

const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

/**
 * Draws an SVG into a PNG file, with the Chromium of this machine.
 *
 * @returns false if there is none
 */
export async function drawPng(svg: string, file: string): Promise<boolean> {
  if (!chromium) return false;
  const scratch = await mkdtemp(path.join(tmpdir(), 'petstore-plot-'));
  try {
    const source = path.join(scratch, 'plot.svg');
    await writeFile(source, svg);
    const height = /height="(\d+)"/.exec(svg)?.[1];
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      `--user-data-dir=${scratch}/profile`,
    ];
    const args = [`--window-size=${WIDTH},${height}`, `--screenshot=${file}`, `file://${source}`];
    await promisify(execFile)(chromium, [...flags, ...args], { timeout: 60_000 });
    return true;
  } finally {
    await rm(scratch, { recursive: true, maxRetries: 5 });
  }
}
