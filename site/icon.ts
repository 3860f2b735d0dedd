import { html } from './html';

/** Without an icon in the page, browsers ask the host for /favicon.ico. */
export const ICON_LINK = html`<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%233b4fd8'/%3E%3Cpath d='M6 22l7-8 5 4 8-10' fill='none' stroke='white' stroke-width='3'/%3E%3C/svg%3E">`;
