import { CONSOLE_RIGHTS, type RoleRight } from '@godwit/contract/identity/console-rights'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './administrators.module.css'
import { RIGHTS_BY_AREA, rightsOf } from './rights.ts'

export interface RightsMatrixProps {
  /** Separated by spaces. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** What a role may do: an area to a line. */
export function RightsMatrix({ value, onChange }: RightsMatrixProps) {
  const texts = useTexts()
  const chosen = new Set(rightsOf(value))
  const choose = (rights: Iterable<RoleRight>): void => onChange([...rights].join(' '))
  const toggle = (right: RoleRight): void => {
    const next = new Set(chosen)
    if (!next.delete(right)) next.add(right)
    choose(next)
  }
  return (
    <div className={styles['matrix']}>
      <div className={styles['quick']}>
        <Button onClick={() => choose(CONSOLE_RIGHTS.filter((right) => right.endsWith('.view')))}>
          {texts('roles.rights.views')}
        </Button>
        <Button onClick={() => choose(CONSOLE_RIGHTS)}>{texts('users.permissions.all')}</Button>
        <Button onClick={() => choose(CONSOLE_RIGHTS.filter((right) => !chosen.has(right)))}>
          {texts('users.permissions.reverse')}
        </Button>
      </div>
      {RIGHTS_BY_AREA.map(({ area, rights }) => (
        <fieldset key={area} className={styles['area']}>
          <legend>{texts(`right.area.${area}`)}</legend>
          <div className={styles['rights']}>
            {rights.map(({ right, verb }) => (
              <label key={right}>
                <input type="checkbox" checked={chosen.has(right)} onChange={() => toggle(right)} />
                {texts(`right.verb.${verb}`)}
              </label>
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  )
}
