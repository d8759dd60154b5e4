import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { CardPage } from '../../../ui/card-page.tsx'
import { Company, LanguageSwitch, pageBackground, useSite } from '../../foundation/site/index.ts'

/** A link for people of the site, opened by nobody it knows. */
export function VisitSignIn() {
  const texts = useTexts()
  const site = useSite()
  return (
    <CardPage
      title={texts('share.sign-in.title')}
      lead={texts('share.sign-in.lead')}
      position={site.position}
      background={pageBackground(site)}
      foot={<LanguageSwitch />}
      imprint={<Company />}
    >
      <Button kind="solid" size="large" onClick={() => location.assign('/link/received')}>
        {texts('share.sign-in.submit')}
      </Button>
    </CardPage>
  )
}
