// In a frame without an origin, a browser takes the address of a place within the page for one of another page.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  const target =
    link === null ? null : document.getElementById(decodeURIComponent(link.getAttribute("href")?.slice(1) ?? ""));
  if (target === null) return;
  event.preventDefault();
  target.scrollIntoView();
});
