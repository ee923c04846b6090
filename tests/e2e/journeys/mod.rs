//! Whole journeys, each on a stage of its own.

mod again;
mod border;
mod connect;
mod drawing;
mod engine;
mod evidence;
mod files;
mod first;
mod follow_up;
mod hosted;
mod images;
mod interactive;
mod keyboard;
mod models;
mod notice;
mod quit;
mod reading;
mod sandbox;
mod second_start;
mod stop;
mod trouble;
mod untrusted;
mod views;
