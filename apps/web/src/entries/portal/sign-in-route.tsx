import { useEffect } from 'react'
import { logOut } from '../../features/identity/auth/index.ts'
import { useServices } from '../../lib/services.tsx'

/** Arriving at /signin logs out. */
export function SignInRoute() {
  const { api, session } = useServices()
  useEffect(() => logOut(api, session, 'logged-out'), [api, session])
  return null
}
