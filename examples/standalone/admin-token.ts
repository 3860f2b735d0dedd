import { randomBytes } from 'node:crypto';

export const newAdminToken = (): string => randomBytes(24).toString('base64url');
