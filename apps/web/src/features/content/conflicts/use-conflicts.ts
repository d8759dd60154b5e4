import { useCallback, useRef, useState } from 'react'

export type ConflictChoice = 'replace' | 'keep-both' | 'skip'

/** A name that is taken: what is there, and what comes. `size` is undefined for a folder. */
export interface Conflict {
  /** Below the target folder. */
  readonly path: string
  readonly existing: Side
  readonly incoming: Side
}

export interface Side {
  readonly size: number | undefined
  /** Unix seconds. */
  readonly time: number
}

export interface Choices {
  /** The choice for each conflict by its path. */
  readonly byPath: ReadonlyMap<string, ConflictChoice>
  /** Chosen for all: also holds for what turns out to be taken later in the same drop. */
  readonly standing?: ConflictChoice
}

/** Undefined when the person closed the question. */
export type Resolution = Choices | undefined

export interface Question {
  readonly conflicts: readonly Conflict[]
  readonly answer: (resolution: Resolution) => void
}

interface Asked extends Question {
  /** Two questions may be about the same names. */
  readonly id: number
}

/** Asks a person about conflicts, one question at a time. */
export function useConflicts() {
  const [questions, setQuestions] = useState<readonly Asked[]>([])
  const lastId = useRef(0)
  const ask = useCallback(
    (conflicts: readonly Conflict[]): Promise<Resolution> =>
      new Promise((resolve) => {
        lastId.current += 1
        const question: Asked = {
          id: lastId.current,
          conflicts,
          answer(resolution) {
            setQuestions((all) => all.filter((each) => each !== question))
            resolve(resolution)
          },
        }
        setQuestions((all) => [...all, question])
      }),
    [],
  )
  return { ask, question: questions[0] }
}
