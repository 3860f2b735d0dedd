/** Reads the environment. `npm start` loads the file .env into it. */

export function optional(name: string): string | undefined {
  return process.env[name]?.trim() || undefined;
}

export function required(name: string): string {
  const value = optional(name);
  if (value === undefined) throw new Error(`${name} is not set: see .env.example`);
  return value;
}

/** A list, separated by commas. */
export function requiredList(name: string): string[] {
  return required(name)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A number from 0 to 65535; 0 lets the system choose a port. */
export function port(name: string, otherwise: number): number {
  const text = optional(name) ?? String(otherwise);
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new Error(`${name} must be a port from 0 to 65535, such as 3000`);
  return Number(text);
}

/** A secret that is too long to be guessed. */
export function secret(name: string): string | undefined {
  const value = optional(name);
  if (value !== undefined && value.length < 16)
    throw new Error(`${name} must have at least 16 characters; "openssl rand -base64 24" makes one`);
  return value;
}
