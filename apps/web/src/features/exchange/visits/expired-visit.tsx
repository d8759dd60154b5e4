import { useTexts } from '../../../lib/texts.tsx'
import { CardPage } from '../../../ui/card-page.tsx'
import { Company, LanguageSwitch, pageBackground, useSite } from '../../foundation/site/index.ts'
import type { Closed } from './use-visit.ts'

/** The link does not open, and what may be done about it. */
export function ExpiredVisit({ reason }: { readonly reason: Closed }) {
  const texts = useTexts()
  const site = useSite()
  return (
    <CardPage
      title={texts(`share.closed.${reason}.title`)}
      lead={texts(`share.closed.${reason}.text`)}
      position={site.position}
      background={pageBackground(site)}
      foot={<LanguageSwitch />}
      imprint={<Company />}
    >
      {null}
    </CardPage>
  )
}
