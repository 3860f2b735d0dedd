/** The types of the functions from which operations.ts and operator-operations.ts make the typed methods. */
import type { ActingOperator } from './operator-inputs';
import type { InputSchema } from './schemas/input';
import type { Shortcut } from './schemas/parse';
import type { Context, OperatorContext } from './usecases/context';

export type DefineOperation = <Input, Command, Answer>(
  schema: InputSchema<Input, Command>,
  run: (context: Context, command: Command) => Promise<Answer>,
  shortcut?: Shortcut<Command>,
) => (input?: Input) => Promise<Answer>;

/** Like `DefineOperation`, for methods by which operators change something. */
export type DefineAct = <Input, Command, Answer>(
  schema: InputSchema<Input, Command>,
  run: (context: OperatorContext, command: Command) => Promise<Answer>,
) => (input?: Input, acting?: ActingOperator) => Promise<Answer>;

/**
 * The methods as properties of function types, because the compiler compares the parameters of methods less strictly.
 */
export type Functions<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...input: infer Input) => infer Answer
    ? (...input: Input) => Answer
    : never;
};
