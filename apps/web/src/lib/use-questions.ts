import { useCallback, useRef, useState } from 'react'

/** Something a person is asked; two questions may be about the same. */
export interface Asked<Subject, Answer> {
  readonly id: number
  readonly subject: Subject
  readonly answer: (answer: Answer) => void
}

/** Asks a person, one question at a time. */
export function useQuestions<Subject, Answer>() {
  const [questions, setQuestions] = useState<ReadonlyArray<Asked<Subject, Answer>>>([])
  const lastId = useRef(0)
  const ask = useCallback(
    (subject: Subject): Promise<Answer> =>
      new Promise((resolve) => {
        lastId.current += 1
        const question: Asked<Subject, Answer> = {
          id: lastId.current,
          subject,
          answer(answer) {
            setQuestions((all) => all.filter((each) => each !== question))
            resolve(answer)
          },
        }
        setQuestions((all) => [...all, question])
      }),
    [],
  )
  return { ask, question: questions[0] }
}
