import { Link } from 'wouter';

export function Brand() {
  return (
    <Link href="/" className="brand-link">
      <img src="/favicon.svg" alt="" />
      Earshot
    </Link>
  );
}
