/** Types for operations.ts and operator-operations.ts, which make the methods of a `PredictionMarket`. */
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
 * Turns each method into a property with a function type. The compiler compares the parameters of methods less
 * strictly.
 */
export type Functions<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...input: infer Input) => infer Answer
    ? (...input: Input) => Answer
    : never;
};
