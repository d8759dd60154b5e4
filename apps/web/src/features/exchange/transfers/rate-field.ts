import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'

const MBPS = /^\d{1,6}(?:\.\d{1,3})?$/
const MBPS_MAX = 100_000

/** How fast a transfer may be, in megabits per second; `wire` is what the server calls it. */
export function rateField<Name extends string>(texts: Texts, wire: string): Field<Name> {
  return {
    kind: 'text',
    label: texts('transfers.limit'),
    hint: texts('transfers.limit.hint'),
    isRequired: true,
    inputMode: 'decimal',
    autoComplete: 'off',
    rule: (value) => (MBPS.test(value.trim()) && Number(value) <= MBPS_MAX ? undefined : texts('transfers.limit.rule')),
    wire,
  }
}
