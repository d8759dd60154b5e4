import type { TransferPriority } from '@godwit/contract'
import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'

const PRIORITIES = ['low', 'normal', 'high'] as const satisfies readonly TransferPriority[]

/** How a transfer shares the line with others. */
export function priorityField<Name extends string>(texts: Texts): Field<Name> {
  return {
    kind: 'select',
    label: texts('transfers.priority'),
    hint: texts('transfers.priority.hint'),
    choices: PRIORITIES.map((value) => ({ value, label: texts(`transfers.priority.${value}`) })),
    wire: 'priority',
  }
}

export function priorityIn(value: string): TransferPriority {
  return PRIORITIES.find((each) => each === value) ?? 'normal'
}
