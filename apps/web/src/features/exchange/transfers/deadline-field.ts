import { localMoment, momentIn } from '../../../lib/local-moment.ts'
import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'

/** When a transfer is to have arrived. One that stands already may have passed, and stays as it is. */
export function deadlineField<Name extends string>(
  texts: Texts,
  { deadline, now }: { readonly deadline: number | null; readonly now: () => number },
): Field<Name> {
  return {
    kind: 'text',
    type: 'datetime-local',
    label: texts('transfers.deadline'),
    hint: texts('transfers.deadline.hint'),
    rule: (value) =>
      value === deadlineValue(deadline) || (momentIn(value) ?? 0) > now()
        ? undefined
        : texts('transfers.deadline.past'),
    errors: ['TRANSFER_DEADLINE_PAST'],
    wire: 'deadline',
  }
}

export function deadlineValue(deadline: number | null): string {
  return deadline === null ? '' : localMoment(deadline)
}

/** What is to be said about it: nothing where it stays as it is. */
export function deadlineChange(value: string, deadline: number | null): { readonly deadline?: number | null } {
  return value === deadlineValue(deadline) ? {} : { deadline: momentIn(value) ?? null }
}
