/** The tables of the liars: which check of a suite finds which fault, and the sentence that it names. */
export interface Found<Fault, Sentence extends string> {
  does: string;
  fault: Fault;
  test: string;
  sentence: Sentence;
}

/** The faults that one check finds under one sentence, by what the adapter does. */
export function foundBy<const Fault, Sentence extends string>(
  test: string,
  sentence: Sentence,
  faults: Readonly<Record<string, Fault>>,
): Found<Fault, Sentence>[] {
  return Object.entries(faults).map(([does, fault]) => ({ does, fault, test, sentence }));
}
