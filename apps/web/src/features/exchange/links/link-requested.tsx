import { useTexts } from '../../../lib/texts.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { RequestList } from '../request-list/index.ts'
import { useLinkRequest } from './links-query.ts'
import styles from './links.module.css'

/** The checklist of an invite link, and how much has come of each item from everybody together. */
export function LinkRequested({ linkId }: { readonly linkId: string }) {
  const texts = useTexts()
  const { data, error } = useLinkRequest(linkId)
  const others = data?.arrivals.filter(({ item }) => item === '').length ?? 0
  return (
    <section aria-labelledby="requested-title" data-testid="link-requested">
      <h3 id="requested-title">{texts('links.section.request')}</h3>
      <FailureNotice failure={error} />
      {data?.state != null && <RequestList state={data.state} wording="links" />}
      {others > 0 && <p className={styles['note']}>{texts('links.request.others-came', { count: others })}</p>}
    </section>
  )
}
