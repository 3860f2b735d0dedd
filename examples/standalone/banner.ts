/** What the person who started the server has to know, in a few lines. */
import type { Settings, StorageChoice } from './settings';

export function bannerLines(settings: Settings, adminToken: string): string[] {
  const lines = [
    `Prediction market listening on ${settings.baseUrl} (bound to ${settings.host}:${settings.port})`,
    `  pages      ${settings.siteUrl}/`,
    `  API        ${settings.baseUrl}/api/v2/docs`,
    `  operators  ${settings.baseUrl}/api/v2/admin   metrics ${settings.baseUrl}/metrics`,
    `  storage    ${describeStorage(settings.storage)}`,
    `  limits     ${settings.redisUrl === undefined ? 'counted in this process' : `Redis, ${new URL(settings.redisUrl).host}`}`,
    `  WARNING    play money: the development facilitator checks signatures but moves no USDC, and operators`,
    `             credit wallets as they like. Markets are resolved by operators.`,
  ];
  if (settings.adminToken === null) {
    lines.push(`  ADMIN_TOKEN was not set; for this run it is ${adminToken}`);
  }
  return lines;
}

function describeStorage(choice: StorageChoice): string {
  switch (choice.kind) {
    case 'memory':
      return 'memory: everything is gone when the process ends';
    case 'sqlite':
      return `SQLite, ${choice.file}`;
    case 'postgres': {
      const { host, pathname } = new URL(choice.url);
      return `Postgres, ${host}${pathname}`;
    }
  }
}
