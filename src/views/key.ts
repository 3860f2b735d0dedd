import type { ApiKey, Scope } from '../domain/types';
import { isoTime, isoTimeOrNull } from './format';

export interface LimitsView {
  /** Requests per rolling minute. */
  limit: number;
  /** How many more requests the key may make now. */
  remaining: number;
  /** When the oldest counted request leaves the window, ISO 8601. */
  resetAt: string;
  /** What the key may do. */
  scopes: Scope[];
}

export interface ChallengeView {
  /** To be sent with the signature; one attempt uses it up. */
  nonce: string;
  /** To be signed as it stands with personal_sign (EIP-191). */
  message: string;
  /** When the nonce expires, ISO 8601. */
  expiresAt: string;
}

export interface IssuedKeyView {
  /** The number of the key. */
  id: number;
  /** The raw key. Shown this once. */
  apiKey: string;
  /** The beginning of the raw key, to recognise it. */
  prefix: string;
  /** The name that the wallet has given the key. */
  label: string | null;
  /** Requests per rolling minute. */
  rateLimit: number;
  /** What the key may do. */
  scopes: Scope[];
  /** When the key was issued, ISO 8601. */
  createdAt: string;
  /** A sentence for people about the raw key. */
  note: string;
}

export interface KeyView {
  /** The number of the key. */
  id: number;
  /** The beginning of the raw key, to recognise it. */
  prefix: string;
  /** The name that the wallet has given the key. */
  label: string | null;
  /** Requests per rolling minute. */
  rateLimit: number;
  /** What the key may do. */
  scopes: Scope[];
  /** When the key was issued, ISO 8601. */
  createdAt: string;
  /** When it was last used, ISO 8601. */
  lastUsedAt: string | null;
}

export interface KeyListView {
  keys: KeyView[];
}

export interface RevokedKeyView {
  /** The number of the key. */
  id: number;
  /** The beginning of the raw key, to recognise it. */
  prefix: string;
  /** When the key was revoked, ISO 8601. */
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
