import { Clock, Settings2 } from "lucide-react";
import type { ReactNode } from "react";
import { classes, Mark } from "../shared";
import type { Place } from "./place";

interface HeaderProps {
  place: Place;
  onGo: (place: Place) => void;
}

/** The name, and the two pages that are not work. */
export function Header({ place, onGo }: HeaderProps) {
  return (
    <header className="border-b border-line">
      <nav aria-label="Main" className="flex h-12 items-center gap-1 px-4">
        <button
          type="button"
          onClick={() => onGo({ view: "home" })}
          aria-current={place.view === "home" ? "page" : undefined}
          className="mr-auto -ml-1 flex items-center gap-2.5 rounded-md px-1 py-1 font-serif text-lg font-semibold"
        >
          <Mark size={22} />
          Assay
        </button>
        <Way
          label="History"
          icon={<Clock size={16} aria-hidden="true" />}
          here={place.view === "history"}
          onClick={() => onGo({ view: "history" })}
        />
        <Way
          label="Settings"
          icon={<Settings2 size={16} aria-hidden="true" />}
          here={place.view === "settings"}
          onClick={() => onGo({ view: "settings" })}
        />
      </nav>
    </header>
  );
}

interface WayProps {
  label: string;
  icon: ReactNode;
  here: boolean;
  onClick: () => void;
}

function Way({ label, icon, here, onClick }: WayProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      aria-current={here ? "page" : undefined}
      className={classes(
        "flex items-center gap-2 rounded-md px-3 py-1 transition-colors duration-150",
        here ? "bg-sunken text-ink" : "text-quiet hover:bg-sunken hover:text-ink",
      )}
    >
      {icon}
      {label}
    </button>
  );
}
