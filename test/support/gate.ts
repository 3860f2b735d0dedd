export interface Gate<Value = void> {
  opened: Promise<Value>;
  open(this: void, value: Value): void;
}

export function createGate<Value = void>(): Gate<Value> {
  let open: (value: Value) => void = () => undefined;
  const opened = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
