/** The picture of a market for link previews: its question, its chance or outcome, and the line of its chart. */
import type { MarketDetailView, PriceHistoryView } from '../../src/index';
import { percent } from '../format';
import { createCanvas, type Canvas, type Ink } from './canvas';
import { drawableText, widthOf, wrapped } from './letters';
import { fillOutline } from './outline';
import { pngFile, type Color } from './png';

export const PICTURE_SIZE = { width: 1200, height: 630 };

const WHITE: Color = [255, 255, 255];
const ACCENT: Color = [59, 79, 216];
/** The colors of the light theme of the pages. */
const INKS = {
  text: { color: [22, 24, 29], on: WHITE },
  muted: { color: [91, 98, 112], on: WHITE },
  grid: { color: [223, 226, 232], on: WHITE },
  accent: { color: ACCENT, on: WHITE },
  mark: { color: WHITE, on: ACCENT },
  yes: { color: [11, 122, 75], on: WHITE },
  yesSoft: { color: [226, 244, 234], on: WHITE },
  no: { color: [180, 43, 43], on: WHITE },
  noSoft: { color: [251, 230, 230], on: WHITE },
} satisfies Record<string, Ink>;
type InkName = keyof typeof INKS;

const MARGIN = 60;
const RIGHT = PICTURE_SIZE.width - MARGIN;
const HEAD_LINE = 92;
const SMALL = 28;
const QUESTION = { size: 54, line: 66, first: 178, mostLines: 3 };
const PLOT = { left: 440, right: 1050, bottom: 570 };
const LINE_WIDTH = 6;
/** The logo of the pages: a square of 32 units with round corners, and the line on it. */
const MARK = 'M8 0L24 0Q32 0 32 8L32 24Q32 32 24 32L8 32Q0 32 0 24L0 8Q0 0 8 0';
const MARK_LINE = 'M5 21L13 12L18 16L25 7L28 9L18 20L13 16L7 23';
const MARK_SCALE = 1.5;

export interface PictureData {
  /** The name of the site. */
  title: string;
  market: Pick<MarketDetailView, 'question' | 'yesPrice' | 'status' | 'category' | 'resolution'>;
  candles: PriceHistoryView['candles'];
}

export function marketPicture({ title, market, candles }: PictureData): Buffer {
  const canvas = createCanvas<InkName>(PICTURE_SIZE, WHITE, INKS);
  drawHead(canvas, title, market);
  const top = drawQuestion(canvas, market.question) + 48;
  drawFigures(canvas, market, (top + PLOT.bottom) / 2);
  drawScale(canvas, top);
  drawLine(canvas, candles, top);
  return pngFile(canvas);
}

function drawHead(canvas: Canvas<InkName>, title: string, market: PictureData['market']): void {
  const place = { left: MARGIN, top: HEAD_LINE - 36 };
  canvas.outline('accent', fillOutline(MARK, MARK_SCALE), place);
  canvas.outline('mark', fillOutline(MARK_LINE, MARK_SCALE), place);
  const state = market.status === 'open' ? market.category : `${market.category} · ${market.status}`;
  const stateWidth = widthOf(state, SMALL);
  const room = RIGHT - stateWidth - (MARGIN + 64) - SMALL;
  const [name = ''] = wrapped(drawableText(title) ?? '', SMALL, room, 1);
  canvas.text('text', name, { left: MARGIN + 64, top: HEAD_LINE - 2, size: SMALL });
  canvas.text('muted', state, { left: RIGHT - stateWidth, top: HEAD_LINE - 2, size: SMALL });
}

/** Draws the question and returns the base line of its last line. A question that cannot be drawn is left out. */
function drawQuestion(canvas: Canvas<InkName>, question: string): number {
  const { size, line, first, mostLines } = QUESTION;
  const lines = wrapped(drawableText(question) ?? '', size, RIGHT - MARGIN, mostLines);
  for (const [index, text] of lines.entries()) {
    canvas.text('text', text, { left: MARGIN, top: first + index * line, size });
  }
  return first + (lines.length - 1) * line;
}

function drawFigures(canvas: Canvas<InkName>, market: PictureData['market'], middle: number): void {
  const outcome = market.resolution?.outcome;
  const figure = outcome ?? percent(market.yesPrice);
  const ink = outcome === 'YES' ? 'yes' : outcome === 'NO' ? 'no' : 'text';
  canvas.text(ink, figure, { left: MARGIN, top: middle + 18, size: 104 });
  const words = outcome === undefined ? 'chance of yes' : 'is the outcome';
  canvas.text('muted', words, { left: MARGIN, top: middle + 74, size: 36 });
}

/** The y coordinate of a price. The top of the plot is a price of 1, its bottom a price of 0. */
function yOf(price: number, top: number): number {
  return Math.round(PLOT.bottom - (PLOT.bottom - top) * price);
}

function drawScale(canvas: Canvas<InkName>, top: number): void {
  for (const price of [0, 0.5, 1]) {
    const line = { left: PLOT.left, top: yOf(price, top) - 1, width: PLOT.right - PLOT.left, height: 2 };
    canvas.rectangle('grid', line);
    canvas.text('muted', `${price * 100}%`, { left: PLOT.right + 14, top: line.top + 9, size: 24 });
  }
}

/** The line has steps and no slopes, as on the page. */
function drawLine(canvas: Canvas<InkName>, candles: PictureData['candles'], top: number): void {
  const [first] = candles;
  const last = candles.at(-1);
  if (first === undefined || last === undefined) return;
  const ink = last.close < first.open ? 'no' : 'yes';
  const step = (PLOT.right - PLOT.left) / candles.length;
  const steps = candles.map(({ open, close }, index) => ({
    left: Math.round(PLOT.left + index * step),
    right: Math.round(PLOT.left + (index + 1) * step),
    before: yOf(candles[index - 1]?.close ?? open, top),
    after: yOf(close, top),
  }));
  for (const { left, right, before } of steps) {
    canvas.rectangle(`${ink}Soft`, { left, top: before, width: right - left, height: PLOT.bottom - before });
  }
  const half = LINE_WIDTH / 2;
  for (const { left, right, before, after } of steps) {
    canvas.rectangle(ink, { left, top: before - half, width: right - left, height: LINE_WIDTH });
    const highest = Math.min(before, after) - half;
    const height = Math.abs(after - before) + LINE_WIDTH;
    canvas.rectangle(ink, { left: right - half, top: highest, width: LINE_WIDTH, height });
  }
}
