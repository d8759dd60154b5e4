/** Answers that the server put into the page, by the path of their route. */
export function givenAnswers(): ReadonlyMap<string, unknown> {
  const block = document.querySelector('script#answers')?.textContent ?? '{}'
  return new Map(Object.entries(JSON.parse(block) as Readonly<Record<string, unknown>>))
}
