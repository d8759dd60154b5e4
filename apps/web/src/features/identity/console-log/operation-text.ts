import { OPERATION_NAMES, type OperationName } from '@godwit/contract/oversight/operation-names'
import type { Texts } from '../../../lib/texts.tsx'

const KNOWN: ReadonlySet<string> = new Set(OPERATION_NAMES)

/** What was done, in words; the name itself where a newer server wrote it. */
export function operationText(name: string, texts: Texts): string {
  return isKnown(name) ? texts(`operation.${name}`) : name
}

function isKnown(name: string): name is OperationName {
  return KNOWN.has(name)
}
