import type { UseQueryResult } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import styles from './loaded.module.css'

export interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  readonly children: (data: Data) => ReactNode
}

/** What a query brought; before that grey bars, and after a fault the reason with another try. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: LoadedProps<Data>) {
  const texts = useTexts()
  if (data !== undefined) return children(data)
  if (error === null) {
    return (
      <div className={styles['skeleton']} role="status" aria-label={texts('app.loading')}>
        <div />
        <div />
        <div />
      </div>
    )
  }
  return (
    <StatePanel
      kind="error"
      icon={<TriangleAlert size={28} />}
      title={texts('profile.load-failed')}
      text={texts.failure(error)}
      reference={texts.reference(error)}
      actions={<Button onClick={() => void refetch()}>{texts('common.retry')}</Button>}
    />
  )
}
