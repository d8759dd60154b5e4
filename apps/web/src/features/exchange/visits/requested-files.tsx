import type { RequestState } from '@godwit/contract'
import { useTexts } from '../../../lib/texts.tsx'
import { RequestList } from '../request-list/index.ts'
import styles from './visits.module.css'

/** What the owner of the link expects, and what of it has arrived. */
export function RequestedFiles({ state }: { readonly state: RequestState }) {
  const texts = useTexts()
  return (
    <section className={styles['card']} aria-labelledby="request-title" data-testid="request">
      <header className={styles['cardHead']}>
        <h2 id="request-title">{texts('share.request.title')}</h2>
        <p className={styles['note']} role="status">
          {texts(state.isComplete ? 'share.request.complete' : 'share.request.missing', {
            count: state.items.filter(({ required, arrived, count }) => required && arrived < count).length,
          })}
        </p>
      </header>
      <RequestList state={state} wording="share" />
      {!state.others && <p className={styles['note']}>{texts('share.request.only')}</p>}
    </section>
  )
}
