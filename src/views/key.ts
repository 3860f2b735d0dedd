import type { ApiKey, Scope } from '../domain/types';
import { isoTime, isoTimeOrNull } from './format';

export interface LimitsView {
  limit: number;
  remaining: number;
  resetAt: string;
  scopes: Scope[];
}

export interface ChallengeView {
  nonce: string;
  message: string;
  expiresAt: string;
}

export interface IssuedKeyView {
  id: number;
  apiKey: string;
  prefix: string;
  label: string | null;
  rateLimit: number;
  scopes: Scope[];
  createdAt: string;
  note: string;
}

export interface KeyView {
  id: number;
  prefix: string;
  label: string | null;
  rateLimit: number;
  scopes: Scope[];
  createdAt: string;
  lastUsedAt: string | null;
}

export interface KeyListView {
  keys: KeyView[];
}

export interface RevokedKeyView {
  id: number;
  prefix: string;
  revokedAt: string;
}

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
