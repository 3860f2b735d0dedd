/** The compiler compares input types, schemas and commands. A difference makes a line of this file an error. */
import type Joi from 'joi';
import type { convertedSchema, inputSchema } from '../../src/schemas/input';
import type { Rules } from '../../src/schemas/rules';

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

type RuleOfSide = Rules<{ side: 'YES' | 'NO' }>['side'];
type Fits<Rule> = Rule extends RuleOfSide ? true : false;

it('the compiler holds the values of a field together', () => {
  const sameValues: Fits<Joi.StringSchema<'YES' | 'NO'>> = true;
  const otherValues: Fits<Joi.StringSchema<'YES' | 'VOID'>> = false;
  const anyText: Fits<Joi.StringSchema> = false;
  expect([sameValues, otherValues, anyText]).toHaveLength(3);
});

type ConvertedRules<Given, Fields extends object> = Parameters<
  typeof convertedSchema<Given, Fields, Command>
>[0];

it('the compiler holds the fields of an input and of its conversion together', () => {
  const onlyInInput: IsNever<ConvertedRules<Input & { added: string }, Input>['added']> = true;
  const onlyInFields: IsNever<ConvertedRules<Input, Input & { added: string }>['added']> = true;
  expect([onlyInInput, onlyInFields]).toHaveLength(2);
});
