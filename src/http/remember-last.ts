export function remembersLast<Question extends readonly (string | null)[], Answer>(
  answerOf: (...question: Question) => Answer,
): (...question: Question) => Answer {
  let last: { question: Question; answer: Answer } | null = null;
  return (...question) => {
    const known = last;
    if (known !== null && question.every((part, index) => part === known.question[index]))
      return known.answer;
    const answer = answerOf(...question);
    last = { question, answer };
    return answer;
  };
}
