import { html } from '../html';
import type { Page, View } from '../layout';

export function notFoundPage(view: View, text: string): Page {
  return {
    status: 404,
    title: 'Not found',
    body: html`<div class="empty"><h1>Not found</h1><p>${text}</p><p><a href="${view.base}/">To the markets</a></p></div>`,
  };
}

export function refusedPage(view: View, text: string): Page {
  return {
    status: 400,
    title: 'Not understood',
    body: html`<div class="empty"><h1>Not understood</h1><p>${text}</p><p><a href="${view.base}/">To the markets</a></p></div>`,
  };
}

export function unavailablePage(view: View, retryAfterSeconds: number): Page {
  return {
    status: 503,
    title: 'Back in a moment',
    headers: { 'Retry-After': String(retryAfterSeconds) },
    body: html`<div class="empty"><h1>Back in a moment</h1><p>The market cannot be reached right now.</p><p><a href="${view.base}/">Try again</a></p></div>`,
  };
}
