import type { ApiKey } from '../domain/types';
import { isoTime, isoTimeOrNull } from './format';
import type { KeyView } from './types';

export function keyView(key: ApiKey): KeyView {
  return {
    id: key.id,
    prefix: key.prefix,
    label: key.label,
    rateLimit: key.rateLimit,
    scopes: key.scopes,
    createdAt: isoTime(key.createdAt),
    lastUsedAt: isoTimeOrNull(key.lastUsedAt),
  };
}
