import { DEFAULT_PERMISSION } from '@godwit/contract/permissions'
import { GRANTABLE, type Grantable, grantableOf, permissionSet } from '../../../lib/permission-sets.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckGroup } from '../../../ui/check-group.tsx'

export interface PermissionMatrixProps {
  /** The set as a number in decimal digits. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

/** The eleven permissions, with the default, all, and the reverse of what is chosen. */
export function PermissionMatrix({ value, onChange, error }: PermissionMatrixProps) {
  const texts = useTexts()
  const chosen = new Set(grantableOf(Number(value)))
  const choose = (permissions: Iterable<Grantable>): void => onChange(String(permissionSet(permissions)))
  return (
    <CheckGroup
      label={texts('users.permissions')}
      choices={GRANTABLE.map((each) => ({ value: each, label: texts(`permission.${each}`) }))}
      chosen={chosen}
      onChange={choose}
      error={error}
      tools={
        <>
          <Button onClick={() => choose(grantableOf(DEFAULT_PERMISSION))}>{texts('users.permissions.default')}</Button>
          <Button onClick={() => choose(GRANTABLE)}>{texts('users.permissions.all')}</Button>
          <Button onClick={() => choose(GRANTABLE.filter((each) => !chosen.has(each)))}>
            {texts('users.permissions.reverse')}
          </Button>
        </>
      }
    />
  )
}
