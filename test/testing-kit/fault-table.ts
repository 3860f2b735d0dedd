/**
 * A faulty adapter, the test that has to find its fault, and the sentence of the contract that the report has to
 * name.
 */
export interface Found<Fault, Sentence extends string> {
  does: string;
  fault: Fault;
  test: string;
  sentence: Sentence;
}

/** The faults that one test reports with one sentence. The keys of `faults` become `does`. */
export function foundBy<const Fault, Sentence extends string>(
  test: string,
  sentence: Sentence,
  faults: Readonly<Record<string, Fault>>,
): Found<Fault, Sentence>[] {
  return Object.entries(faults).map(([does, fault]) => ({ does, fault, test, sentence }));
}
