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
