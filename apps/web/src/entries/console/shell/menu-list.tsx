import { Link } from '@tanstack/react-router'
import { useAdministrator } from '../../../features/identity/administration/index.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { menuOf } from '../features.ts'
import styles from './shell.module.css'

/** The entries that this administrator may open, by section. */
export function MenuList({ onFollow }: { readonly onFollow?: () => void }) {
  const texts = useTexts()
  const sections = menuOf(useAdministrator())
  const paths = new Set(sections.flatMap(({ pages }) => pages.map(({ path }) => path)))
  return sections.map(({ section, pages }) => (
    <div key={section} className={styles['section']}>
      <p className={styles['group']}>{texts(`console.section.${section}`)}</p>
      <ul>
        {pages.map(({ path, title, menu: { icon: Icon } }) => (
          <li key={path}>
            <Link
              to={path}
              search={{}}
              // An entry stands for the pages below it, unless one of them is an entry itself.
              activeOptions={{ includeSearch: false, exact: isAbove(path, paths) }}
              className={styles['item']}
              {...(onFollow === undefined ? {} : { onClick: onFollow })}
            >
              <Icon size={20} aria-hidden="true" />
              {texts(title)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
}

function isAbove(path: string, paths: ReadonlySet<string>): boolean {
  return [...paths].some((other) => other.startsWith(`${path}/`))
}
