import { useQuestions } from '../../../lib/use-questions.ts'

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

/** Asks a person about conflicts, one question at a time. */
export function useConflicts() {
  return useQuestions<readonly Conflict[], Resolution>()
}
