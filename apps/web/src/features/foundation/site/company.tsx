import { useTexts } from '../../../lib/texts.tsx'
import styles from './company.module.css'
import { useSite } from './site.tsx'

/** Whose installation this is, and the way to their own page; nothing where the site does not say. */
export function Company() {
  const texts = useTexts()
  const { companyZH, companyEN, companyLink, companyLinkEN } = useSite()
  const [name, link] = texts.locale === 'zh-CN' ? [companyZH, companyLink] : [companyEN, companyLinkEN]
  if (name === '') return null
  return (
    <p className={styles['company']} translate="no">
      {link === '' ? (
        name
      ) : (
        <a href={link} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      )}
    </p>
  )
}
