#!/bin/sh
# A converter of drawings for tests, started as an administrator's is: topdf.sh --paper a3 IN OUT. The drawing says what comes of it.
in=$3 out=$4
order=$(tr -d '\000' <"$in" | grep -aom1 'order:[a-z]*' | cut -d: -f2)
pdf() {
  printf '%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n'
  printf '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 297]>>endobj\ntrailer<</Root 1 0 R>>\n%% %s of %s\n' "$2" "$in"
}
case "$order" in
  fail) exit 3 ;;
  nothing) ;;
  half) pdf "$@" >"$out.part" && exit 1 ;;
  hang) sleep 601.5 ;;
  flood) head -c 80000000 /dev/zero >"$out" ;;
  html) echo '<!doctype html><script>parent.document.title = "gone"</script>' >"$out" ;;
  svg) echo '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>' >"$out" ;;
  png) printf '\211PNG\r\n\032\n' >"$out" ;;
  link) ln -s /etc/passwd "$out" ;;
  folder) mkdir "$out" ;;
  pipe) mkfifo "$out" ;;
  polyglot) { echo '<script>parent.document.title = "gone"</script>'; pdf "$@"; } >"$out" ;;
  *) pdf "$@" >"$out" ;;
esac
