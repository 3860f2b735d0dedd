/** Words that examples and quick set-ups use as tokens. Random tokens hardly ever contain one of them. */
const WORDS = /admin|change|choose|example|password|secret|sample|test|token|qwert|12345/i;
const FEWEST_CHARACTERS = 8;

/** Whether a thief could guess the token: it contains a common word, or has fewer than 8 different characters. */
export function isGuessable(token: string): boolean {
  return WORDS.test(token) || new Set(token).size < FEWEST_CHARACTERS;
}
