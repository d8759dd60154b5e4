import type { z } from 'zod'
import type { ErrorName } from '../errors/index.ts'
import type { Feature } from '../foundation/editions.ts'

export interface OperationSpec<Input extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly summary: string
  /** Changes nothing, so a caller that lost the reply may repeat the call. */
  readonly isRead?: true
  /** What the edition must have; without it the call is refused with EDITION_FEATURE_MISSING. */
  readonly feature?: Feature
  readonly input: Input
  readonly reply: Reply
  readonly errors: readonly ErrorName[]
}

export function defineOperation<Input extends z.ZodType, Reply extends z.ZodType>(
  spec: OperationSpec<Input, Reply>,
): OperationSpec<Input, Reply> {
  return spec
}
