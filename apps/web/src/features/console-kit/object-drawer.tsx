import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import styles from './console-kit.module.css'
import { NotLoaded } from './not-loaded.tsx'

export interface ObjectDrawerProps<Value> {
  readonly title: string
  /** The answer about the object, as a query has it. */
  readonly query: {
    readonly data: Value | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  readonly renderFoot?: (value: Value) => ReactNode
  readonly onClose: () => void
  readonly children: (value: Value) => ReactNode
}

/** One object beside its list, 460 px wide: on its way, there, or the reason why not. */
export function ObjectDrawer<Value>({ title, query, renderFoot, onClose, children }: ObjectDrawerProps<Value>) {
  const texts = useTexts()
  const { data } = query
  return (
    <Drawer
      title={title}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={data === undefined ? undefined : renderFoot?.(data)}
    >
      {data !== undefined ? <div className={styles['object']}>{children(data)}</div> : <NotLoaded query={query} />}
    </Drawer>
  )
}
