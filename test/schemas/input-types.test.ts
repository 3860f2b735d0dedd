/**
 * The compiler holds input types, schemas and commands together: these lines do not compile where it no longer
 * does.
 */
import type { inputSchema, Rules } from '../../src/schemas/input';

interface Input {
  name: string;
  note?: string;
}
interface Command {
  name: string;
  note: string | null;
}

type RulesOf<Given, Made> = Parameters<typeof inputSchema<Given, Made>>[0];
type AbsentOf<Given, Made> = Parameters<typeof inputSchema<Given, Made>>[1];
type IsNever<Type> = [Type] extends [never] ? true : false;

it('the compiler holds the fields of input, schema and command together', () => {
  const everyFieldHasARule: Record<keyof Rules<Input>, true> = { name: true, note: true };
  const onlyInInput: IsNever<RulesOf<Input & { added: string }, Command>['added']> = true;
  const onlyInCommand: IsNever<RulesOf<Input, Command & { added: string }>['added']> = true;
  const absentFieldsAreNamed: Record<keyof AbsentOf<Input, Command>, true> = { note: true };
  expect([everyFieldHasARule, onlyInInput, onlyInCommand, absentFieldsAreNamed]).toHaveLength(4);
});
