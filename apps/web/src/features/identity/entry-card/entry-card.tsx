import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { CardPage } from '../../../ui/card-page.tsx'
import { Company, LanguageSwitch, pageBackground, useSite, useTabTitle } from '../../foundation/site/index.ts'
import { Hero, type EntryPageProps } from '../auth/index.ts'

export interface EntryCardProps extends EntryPageProps {
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
}

/** The card of a page without a session, at the place the site gives it, with the way back to the sign-in. */
export function EntryCard({ title, lead, onGo, children }: EntryCardProps) {
  const texts = useTexts()
  const site = useSite()
  useTabTitle(title)
  return (
    <CardPage
      title={title}
      {...(lead === undefined ? {} : { lead })}
      position={site.position}
      background={pageBackground(site)}
      hero={<Hero />}
      imprint={<Company />}
      foot={
        <>
          <LanguageSwitch />
          <Button kind="quiet" onClick={() => onGo('/signin')}>
            {texts('recovery.back')}
          </Button>
        </>
      }
    >
      {children}
    </CardPage>
  )
}
