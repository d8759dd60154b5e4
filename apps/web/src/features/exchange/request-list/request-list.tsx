import type { RequestItem, RequestState } from '@godwit/contract'
import { Circle, CircleCheck, CircleDashed } from 'lucide-react'
import { formatSize } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import styles from './request-list.module.css'

type Wording = 'links' | 'share'

export interface RequestListProps {
  readonly state: RequestState
  /** Pages of owners and of guests load texts of their own. */
  readonly wording: Wording
}

/** What is asked for, item by item, and what of it has arrived. */
export function RequestList({ state, wording }: RequestListProps) {
  const texts = useTexts()
  return (
    <ul className={styles['list']}>
      {state.items.map((item) => {
        const isThere = item.arrived >= item.count
        return (
          <li key={item.id} data-state={isThere ? 'arrived' : item.required ? 'missing' : 'optional'}>
            <ItemIcon isThere={isThere} isRequired={item.required} />
            <div>
              <span>{item.name}</span>
              <small>{rulesOf(item, texts, wording)}</small>
            </div>
            <b>{stateText(item, texts, wording)}</b>
          </li>
        )
      })}
    </ul>
  )
}

function ItemIcon({ isThere, isRequired }: { readonly isThere: boolean; readonly isRequired: boolean }) {
  if (isThere) return <CircleCheck size={20} aria-hidden="true" />
  return isRequired ? <Circle size={20} aria-hidden="true" /> : <CircleDashed size={20} aria-hidden="true" />
}

function stateText({ arrived, count, required }: RequestState['items'][number], texts: Texts, of: Wording): string {
  if (arrived >= count) return texts(`${of}.request.state.arrived`, { count: arrived })
  if (arrived > 0) return texts(`${of}.request.state.partly`, { arrived, count })
  return texts(`${of}.request.state.${required ? 'missing' : 'optional'}`)
}

function rulesOf(
  { pattern, types, minBytes, maxBytes, sha256, count }: RequestItem,
  texts: Texts,
  of: Wording,
): string {
  const size = (bytes: number): string => formatSize(bytes, texts.locale)
  return [
    ...(count > 1 ? [texts(`${of}.request.state.files`, { count })] : []),
    ...(pattern === '' ? [] : [pattern]),
    ...(types.length === 0 ? [] : [types.map((type) => `.${type}`).join(' ')]),
    ...(minBytes > 0 ? [texts(`${of}.request.state.at-least`, { size: size(minBytes) })] : []),
    ...(maxBytes > 0 ? [texts(`${of}.request.state.at-most`, { size: size(maxBytes) })] : []),
    ...(sha256 === '' ? [] : [`SHA-256 ${sha256.slice(0, 8)}…`]),
  ].join(' · ')
}
